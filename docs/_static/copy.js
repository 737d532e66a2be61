"use strict";
// A button that copies the commands of the start page.
const commands = document.querySelector("section:has(> .scene) > .highlight-text");
if (commands && navigator.clipboard) {
  const button = commands.appendChild(document.createElement("button"));
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(commands.querySelector("pre").innerText.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select, then copy";
    }
  });
}
