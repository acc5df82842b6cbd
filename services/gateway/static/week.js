// The week: a block opens its details beside itself. Without this it leads to a page of its own.

const GAP = 6;
const WIDE = matchMedia("(min-width: 641px)");

/** Shows what the page of a block says, in a dialog beside the block. */
async function open(block) {
  const answer = await fetch(block.href, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const details = page.querySelector("article.event");
  // Signed out, or gone: the page itself says so.
  if (!answer.ok || !details) return location.assign(block.href);
  show(block, details);
}

function show(block, details) {
  const heading = details.querySelector("h1");
  const title = document.createElement("h2");
  title.className = heading.className;
  title.id = "event-title";
  title.textContent = heading.textContent;
  heading.replaceWith(title);
  const dialog = document.createElement("dialog");
  dialog.className = "pop";
  dialog.setAttribute("aria-labelledby", "event-title");
  dialog.append(closer(dialog), details);
  document.body.append(dialog);
  block.setAttribute("aria-expanded", "true");
  dialog.addEventListener("close", () => {
    dialog.remove();
    block.setAttribute("aria-expanded", "false");
    block.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.showModal();
  if (WIDE.matches) put(dialog, block.getBoundingClientRect());
}

function closer(dialog) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon-btn plain";
  button.setAttribute("aria-label", document.querySelector("[data-close]").dataset.close);
  button.innerHTML = document.querySelector("template#cross").innerHTML;
  button.addEventListener("click", () => dialog.close());
  return button;
}

/** At the right of the block, or at its left where there is no room. */
function put(dialog, at) {
  const { width, height } = dialog.getBoundingClientRect();
  const fits = at.right + GAP + width <= innerWidth - GAP;
  const left = fits ? at.right + GAP : Math.max(GAP, at.left - GAP - width);
  const top = Math.max(GAP, Math.min(at.top, innerHeight - height - GAP));
  dialog.style.inset = `${top}px auto auto ${left}px`;
  dialog.style.margin = "0";
}

for (const block of document.querySelectorAll("a.b")) {
  block.setAttribute("aria-haspopup", "dialog");
  block.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(block).catch(() => location.assign(block.href));
  });
}
