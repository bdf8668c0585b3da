import { resource, type ResourceDefinition } from "../../mod.ts";
import { PNG } from "./media.ts";

const staticText = resource("test://static-text", {
  name: "static-text",
  description: "A resource that holds text.",
  mimeType: "text/plain",
  handler: () => "This is the content of the static text resource.",
});

const staticBinary = resource("test://static-binary", {
  name: "static-binary",
  description: "A resource that holds bytes.",
  mimeType: "image/png",
  handler: () => Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0)),
});

const template = resource("test://template/{id}/data", {
  name: "template",
  description: "As many resources as there are ids.",
  mimeType: "application/json",
  handler: ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
});

const watched = resource("test://watched-resource", {
  name: "watched-resource",
  description: "A resource to subscribe to.",
  mimeType: "text/plain",
  handler: () => "This is the content of the watched resource.",
});

/** Resources: text, bytes, a template, and one to watch. */
export const resources: readonly ResourceDefinition[] = [
  staticText,
  staticBinary,
  template,
  watched,
];
