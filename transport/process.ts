import type { LogCategory } from "../context/log/process_line.ts";
import { logProcess } from "../context/log/process_log.ts";
import { McpError } from "../errors.ts";
import { InputRequiredSignal } from "../input/input_required.ts";

/** The signals that end a server, and the exit codes that go with them. */
const SIGNALS: readonly (readonly [Deno.Signal, number])[] = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
];

/**
 * Ends the process in good order on SIGINT and SIGTERM: the first one calls
 * `stop`, the second one ends the process at once. When `stop` is done and
 * something else still keeps the process alive, it is ended after `lingerMs`.
 *
 * @returns What stops watching.
 */
export function watchSignals(
  stop: () => Promise<void>,
  lingerMs: number,
): () => void {
  let stopping = false;
  const unwatch = SIGNALS.map(([signal, code]) =>
    watch(signal, () => {
      if (stopping) Deno.exit(code);
      stopping = true;
      stop().finally(() => {
        Deno.unrefTimer(setTimeout(() => Deno.exit(code), lingerMs));
      });
    })
  );
  return () => {
    for (const each of unwatch) each();
  };
}

/** Ends this process, under Deno. */
export function exitProcess(code: number): never {
  Deno.exit(code);
}

function watch(signal: Deno.Signal, listener: () => void): () => void {
  try {
    Deno.addSignalListener(signal, listener);
  } catch {
    // Windows has no SIGTERM.
    return () => {};
  }
  return () => Deno.removeSignalListener(signal, listener);
}

const SERVER: LogCategory = ["parley"];

/** Marks errors that are to end the process when nobody takes them. */
const FATAL: unique symbol = Symbol("fatal");

/**
 * Marks an error of the start, so that it ends a process that does not handle
 * it, and is not taken for a stray.
 *
 * @returns The error.
 */
export function fatal(error: unknown): unknown {
  if (error instanceof Error && Object.isExtensible(error)) {
    Object.defineProperty(error, FATAL, { value: true, configurable: true });
  }
  return error;
}

/**
 * Keeps what `ctx` threw from ending the process where nobody waits for it. A
 * promise made of `ctx.ask` that the handler no longer comes to await, because
 * another question was put first, rejects with nobody to take it: with the
 * signal of the suspension, or because the person declined. So does a write to
 * `ctx.state` that is not awaited. Clients bring that about, and one of them
 * must not end the calls of all others.
 *
 * A suspension is answered all the same; an `McpError` is logged. Every other
 * rejection is left alone. Node and Bun have no such event.
 *
 * @returns What stops it.
 */
export function catchStrays(): () => void {
  if (typeof globalThis.addEventListener !== "function") return () => {};
  // One of its own for each app: the same one would be there only once.
  const listener = (event: PromiseRejectionEvent) => take(event);
  globalThis.addEventListener("unhandledrejection", listener);
  return () => globalThis.removeEventListener("unhandledrejection", listener);
}

function take(event: PromiseRejectionEvent): void {
  const { reason: error } = event;
  const isSignal = error instanceof InputRequiredSignal;
  if (!isSignal && !(error instanceof McpError)) return;
  if (FATAL in error) return;
  if (!isSignal && !event.defaultPrevented) {
    logProcess(
      SERVER,
      "error",
      "A promise that no handler awaits was rejected: {reason}",
      { reason: error.message, error },
    );
  }
  event.preventDefault();
}
