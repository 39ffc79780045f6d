/** `npm run aqua`: runs the operator's command on a sufficiently new Node. */
import "../apps/operator/bin/aqua.mjs";
