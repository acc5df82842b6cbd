// The page that waits goes on as soon as the look has ended.
// Without this it asks for itself anew every other second.

import { ended } from "./looking.js";

await ended(document.querySelector("main[data-look]").dataset.look);
location.replace(location.href);
