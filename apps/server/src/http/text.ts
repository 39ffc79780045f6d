import type { FastifyInstance } from "fastify";
import { ApiError } from "../errors.ts";
import { isTooDeep, tooDeep } from "../jsonDepth.ts";

/** PostgreSQL stores any text except this character. The rejection here covers every route. */
const refusal = () => new ApiError("validation_error", "Text must not contain the character U+0000");

export function registerText(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.includes("\\u0000")) done(refusal(), undefined);
    else if (isTooDeep(body)) done(tooDeep(), undefined);
    else parse(request, body, done);
  });
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.url.includes("%00")) done(refusal());
    else done();
  });
}
