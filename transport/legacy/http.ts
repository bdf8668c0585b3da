import type { AppConfig } from "../config.ts";
import type { Engine } from "../engine.ts";
import type { LegacyHttp } from "../http_request.ts";
import { errorResponse, methodNotAllowed } from "../http_response.ts";
import { WireError } from "../json_rpc.ts";

/** Makes the 2025 era of an app. */
export function createLegacyHttp(
  _engine: Engine,
  _config: AppConfig,
): LegacyHttp {
  return {
    post: () =>
      Promise.resolve(
        errorResponse(
          undefined,
          new WireError(-32602, "Malformed request", undefined, 400),
        ),
      ),
    get: () => Promise.resolve(methodNotAllowed("POST")),
    delete: () => Promise.resolve(methodNotAllowed("POST")),
  };
}
