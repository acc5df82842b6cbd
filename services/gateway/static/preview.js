// The page of a suggestion: reloads itself when the suggestion changes, and counts down.
// Everything works without it.

const page = document.querySelector("main[data-status]");
const AGAIN_MS = 5000;

/** Follows the suggestion's state and reloads the page when it is another one. */
function follow(address) {
  const source = new EventSource(address);
  source.addEventListener("preview", (event) => {
    const { preview } = JSON.parse(event.data);
    const status = preview.state.replace("PREVIEW_STATE_", "").toLowerCase();
    const isSame = String(preview.version) === page.dataset.version && status === page.dataset.status;
    if (isSame) return;
    source.close();
    location.reload();
  });
  source.addEventListener("error", () => {
    // A lost connection is taken up again by the browser; after a refusal it has to be asked to.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => follow(address), AGAIN_MS);
  });
}

/** Says how long is left: in minutes, in the last two as m:ss. Never announced. */
function countDown(element) {
  const ends = performance.now() + Number(element.dataset.left) * 1000;
  const show = () => {
    const left = Math.max(0, Math.floor((ends - performance.now()) / 1000));
    const short = left < 120;
    const amount = short
      ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
      : String(Math.floor(left / 60));
    const words = (short ? element.dataset.seconds : element.dataset.minutes).replace("{n}", amount);
    if (element.textContent !== words) element.textContent = words;
  };
  show();
  setInterval(show, 1000);
}

if (page?.dataset.events) follow(page.dataset.events);
for (const element of document.querySelectorAll("[data-left]")) countDown(element);
