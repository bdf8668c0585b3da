import { resetSync } from "@logtape/logtape";
import {
  type App,
  type AppOptions,
  configureLogging,
  createApp,
  memoryState,
} from "../../mod.ts";
import { loadProcessLog } from "../../context/log/process_log.ts";

await loadProcessLog();

/** A line of the process log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The process log, as it would be written to stderr. */
export interface ProcessLog extends Disposable {
  /** Every line, parsed. */
  readonly lines: LogLine[];
  /** All of it as one text. */
  text(): string;
  /** The lines of calls that failed. */
  failures(): LogLine[];
}

/** Takes the process log, until it is disposed of. */
export function captureProcessLog(): ProcessLog {
  const lines: LogLine[] = [];
  // An app before this one may have set the log up.
  resetSync();
  configureLogging({
    level: "debug",
    write: (line) => void lines.push(JSON.parse(line)),
  });
  return {
    lines,
    text: () => JSON.stringify(lines),
    failures: () => lines.filter(({ logger }) => logger === "parley.call"),
    [Symbol.dispose]: () => resetSync(),
  };
}

/** An app that closes itself. */
export type OwnApp = App & AsyncDisposable;

/** Makes an app of some definitions, with state in memory. */
export function openApp(options: Partial<AppOptions> = {}): OwnApp {
  const app = createApp({
    name: "test",
    version: "1.0.0",
    state: memoryState(),
    ...options,
  });
  return Object.assign(app, { [Symbol.asyncDispose]: () => app.close() });
}

/** Both eras, for tests of what they share. */
export const ERAS = ["modern", "legacy"] as const;
