/** The official SDK's v1 line over stdio. */

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { buildServer } from "./sdk_v1_server.ts";

await buildServer().connect(new StdioServerTransport());
