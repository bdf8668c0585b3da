// Opens Deno KV as a server does at its start, and says so.
// Arguments: the target ("-" for the default), the timeout in milliseconds.

import { kvState } from "../../../state/mod.ts";

const [target = "-", timeout = "5000"] = Deno.args;
const backend = kvState(target === "-" ? undefined : target, {
  timeout: Number(timeout),
});
console.log("ready without state");
await backend.open?.();
console.log("opened", backend.shared, backend.durable);
await backend.close();
