import { serveStdio } from "../../stdio.ts";
import app from "./_permission_server.ts";

await serveStdio(app);
