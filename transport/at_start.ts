/**
 * What a server runs up to its first answer, besides what `mod.ts` itself names.
 *
 * Deno reads the source map of each module that is the first to import
 * another, to know the place: the larger the module, the longer it takes. When
 * this one, which is small, comes first, no large one has to. Nothing else
 * depends on it: what is missing here is loaded by whoever imports it.
 *
 * @module
 */

import "../context/call_context.ts";
import "../context/collected.ts";
import "../context/error_contract.ts";
import "../context/errors/issues.ts";
import "../context/input_round.ts";
import "../context/log/_leaf_text.ts";
import "../context/log/last_line.ts";
import "../context/log/to_json.ts";
import "../context/open_questions.ts";
import "../context/schema.ts";
import "../input/_form_property.ts";
import "../input/_json_schema.ts";
import "./auth/_validate.ts";
import "./auth/create_authenticator.ts";
import "./body.ts";
import "./catalog/catalog.ts";
import "./catalog/compile_prompt.ts";
import "./catalog/compile_resource.ts";
import "./catalog/compile_tool.ts";
import "./catalog/param_headers.ts";
import "./catalog/uri_template.ts";
import "./config.ts";
import "./create_engine.ts";
import "./exchange.ts";
import "./guard.ts";
import "./http.ts";
import "./http_response.ts";
import "./json_rpc.ts";
import "./lazy_legacy.ts";
import "./modern/envelope.ts";
import "./modern/headers.ts";
import "./modern/http.ts";
import "./modern/http_reply.ts";
import "./modern/serve.ts";
import "./process.ts";
import "./protocol.ts";
import "./run/call.ts";
import "./run/create_state_seal.ts";
import "./run/render_tool.ts";
import "./run/result_text.ts";
import "./run/round.ts";
import "./run/run_tool.ts";
import "./running_calls.ts";
import "./settings.ts";
import "./sse.ts";
