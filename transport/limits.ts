import type { AuthContext } from "../context/auth_context.ts";
import type { HandlerCall } from "./run/handler_call.ts";

/**
 * What one caller may use at a time: one client acting for one subject.
 * Without authentication all callers count as one.
 */
export interface LimitOptions {
  /** Tools, prompts and resources that run. Default: any number. */
  readonly concurrentCalls?: number | undefined;
  /** Streams that stay open to hear of changes. Default: any number. */
  readonly openStreams?: number | undefined;
}

/** The limits of an app; those that are off are `undefined`. */
export interface Limits {
  /** Makes a call count while its handler runs. */
  readonly calls: LimitCall | undefined;
  /** Makes a stream count while it is open. */
  readonly streams: LimitStream | undefined;
}

/** @returns The same call, which may refuse to run. */
export type LimitCall = (
  auth: AuthContext | undefined,
  call: HandlerCall,
) => HandlerCall;

/** @returns What `open` gives, once there is room for it. */
export type LimitStream = (
  auth: AuthContext | undefined,
  open: () => Response | Promise<Response>,
) => Response | Promise<Response>;
