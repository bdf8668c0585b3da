/** tmcp over stdio. */

import { StdioTransport } from "@tmcp/transport-stdio";
import { buildServer } from "./tmcp_server.ts";

new StdioTransport(buildServer()).listen();
