import type { ContentBlock } from "../types.ts";

/**
 * Collects blocks for the calling model that are no part of the structured
 * result: images, audio, embedded resources. They come first in `content`.
 */
export interface ContentCollect {
  /** Adds a block as it is. */
  (block: ContentBlock): void;
  /** Adds an image. @param data Base64. @param mimeType Such as `image/png`. */
  image(data: string, mimeType: string): void;
  /** Adds audio. @param data Base64. @param mimeType Such as `audio/wav`. */
  audio(data: string, mimeType: string): void;
}

/** Makes a {@linkcode ContentCollect} that appends to `blocks`. */
export function createContentCollect(
  blocks: ContentBlock[],
): ContentCollect {
  const push = (block: ContentBlock) => void blocks.push(block);
  return Object.assign(push, {
    image: (data: string, mimeType: string) =>
      push({ type: "image", data, mimeType }),
    audio: (data: string, mimeType: string) =>
      push({ type: "audio", data, mimeType }),
  });
}
