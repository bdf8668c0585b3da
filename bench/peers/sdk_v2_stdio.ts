/** The official SDK's v2 line over stdio: `serveStdio`. */

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "./sdk_v2.ts";

serveStdio(buildServer);
