// Small comforts of every page. Everything works without them.

const PATIENCE_MS = 12000;

/** A form is sent once: what was pressed says that it is at work and takes no second press. */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    // An answer that never came must not leave the page without its buttons.
    setTimeout(() => free(form, event.submitter), PATIENCE_MS);
    const pressed = event.submitter;
    if (!pressed) return;
    pressed.setAttribute("aria-disabled", "true");
    if (pressed.dataset.busy) pressed.textContent = pressed.dataset.busy;
  });
}

function free(form, pressed) {
  delete form.dataset.sent;
  pressed?.removeAttribute("aria-disabled");
}

/** A menu closes where the person goes on elsewhere, and with Esc. */
function closeWithCare(menu) {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

// A page that comes back out of the browser's memory is fresh again.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
for (const form of document.querySelectorAll('form[method="post"]')) sendOnce(form);
for (const menu of document.querySelectorAll("details.me")) closeWithCare(menu);
