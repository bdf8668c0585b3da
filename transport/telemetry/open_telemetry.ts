import type { LogCategory } from "../../context/log/process_line.ts";
import { logProcess } from "../../context/log/process_log.ts";
import type { Telemetry } from "./telemetry.ts";

const SERVER: LogCategory = ["parley"];

/** Where the libraries of OpenTelemetry 1.x find what is registered. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/**
 * Gives the telemetry of an app, when someone registered with OpenTelemetry:
 * Deno does with `OTEL_DENO=true`, the SDK for Node when it is started. Else
 * nothing of it is loaded. Never rejects: a server does not fail for want of it.
 */
export async function openTelemetry(): Promise<Telemetry | undefined> {
  const registry: unknown = Reflect.get(globalThis, REGISTRY);
  if (typeof registry !== "object" || registry === null) return undefined;
  if (!("trace" in registry || "metrics" in registry)) return undefined;
  try {
    const api = await import("@opentelemetry/api");
    const { CallTelemetry } = await import("./call_telemetry.ts");
    return new CallTelemetry(api);
  } catch (error) {
    logProcess(SERVER, "warning", "Cannot trace: {error}", { error });
    return undefined;
  }
}
