/** `npm run aqua`: the operator's command, on a Node that is new enough. */
import "../apps/operator/bin/aqua.mjs";
