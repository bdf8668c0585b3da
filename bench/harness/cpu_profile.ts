/** Reads the CPU profile of a server, and sums it up by the steps of a call. */

interface Frame {
  readonly functionName: string;
  readonly url: string;
}

interface Node {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
}

/** A profile, as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly Node[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Tells which step a frame belongs to; `undefined` when its caller knows. */
export type StepOf = (
  file: string,
  name: string,
  callers: readonly string[],
) => string | undefined;

/**
 * Microseconds by step. Each sample counts for the innermost frame that a step
 * is known of; time in which nothing ran is left out.
 */
export function sumUp(
  profile: CpuProfile,
  stepOf: StepOf,
): Map<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map<number, number>();
  for (const { id, children } of profile.nodes) {
    for (const child of children ?? []) parents.set(child, id);
  }

  function stackOf(id: number): Frame[] {
    const frames: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined;) {
      frames.push(nodes.get(at)!.callFrame);
      at = parents.get(at);
    }
    return frames;
  }

  function find(id: number): string | undefined {
    const stack = stackOf(id);
    const names = stack.map(({ functionName }) => functionName);
    if (names[0] === "(idle)") return undefined;
    for (const [i, { url, functionName }] of stack.entries()) {
      const step = stepOf(url, functionName, names.slice(i + 1));
      if (step !== undefined) return step;
    }
    return "other";
  }

  const steps = new Map<number, string | undefined>();
  const sums = new Map<string, number>();
  for (const [i, id] of profile.samples.entries()) {
    if (!steps.has(id)) steps.set(id, find(id));
    const step = steps.get(id);
    if (step === undefined) continue;
    sums.set(step, (sums.get(step) ?? 0) + profile.timeDeltas[i]!);
  }
  return sums;
}
