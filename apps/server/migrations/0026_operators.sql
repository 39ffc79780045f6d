CREATE TABLE "operator" (
	"name" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"scopes" text NOT NULL,
	"address" text,
	"create_time" bigint NOT NULL,
	"expire_time" bigint,
	"revoke_time" bigint,
	CONSTRAINT "operator_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "operator_approval" (
	"call" text NOT NULL,
	"body_hash" text NOT NULL,
	"operator" text NOT NULL,
	"time" bigint NOT NULL,
	CONSTRAINT "operator_approval_call_body_hash_pk" PRIMARY KEY("call","body_hash")
);
