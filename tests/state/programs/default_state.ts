// Says which store a server has that asks for none.

import { defaultState } from "../../../state/mod.ts";

const { backend, warning } = defaultState();
console.log(JSON.stringify({ name: backend.name, warning }));
await backend.close();
