import { stateBackendSuite } from "../../state/conformance.ts";
import { BACKENDS } from "./backends.ts";

for (const [name, make] of Object.entries(BACKENDS)) {
  Deno.test(`${name} is a StateBackend`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const cases = stateBackendSuite(async () =>
      stack.use(await make()).backend
    );
    for (const { name, run } of cases) await t.step(name, run);
  });
}
