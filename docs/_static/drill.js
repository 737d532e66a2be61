"use strict";
// A choice says whether it is right, and opens the answer with its clauses.
for (const question of document.querySelectorAll(".question")) {
  const buttons = question.querySelectorAll("button");
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const right = "right" in button.dataset;
      question.querySelector(".verdict").textContent = right ? "✓ Right" : "✗ Not that one";
      question.classList.toggle("right", right);
      question.classList.toggle("wrong", !right);
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
      question.querySelector("details").open = true;
    });
  }
}
