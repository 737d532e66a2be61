// A letter answers the question of one choice that has it. The page works without this.
"use strict";

document.body.dataset.state = "live";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=text], select")) return;
  document.querySelector(`button[data-key="${CSS.escape(event.key.toLowerCase())}"]`)?.click();
});
