CREATE TABLE "operator_passkey" (
	"id" text PRIMARY KEY NOT NULL,
	"operator" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"proof" text NOT NULL,
	"create_time" bigint NOT NULL,
	"last_use" bigint
);
--> statement-breakpoint
CREATE TABLE "operator_session" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"operator" text NOT NULL,
	"create_time" bigint NOT NULL,
	"expires" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "operator_passkey_of_operator" ON "operator_passkey" USING btree ("operator");--> statement-breakpoint
CREATE INDEX "receipt_at" ON "receipt" USING btree ("chain_id","product","time");