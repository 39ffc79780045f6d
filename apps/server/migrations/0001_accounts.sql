CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"country" text NOT NULL,
	"language" text NOT NULL,
	"subject" text NOT NULL,
	"create_time" bigint NOT NULL,
	CONSTRAINT "account_email_unique" UNIQUE("email"),
	CONSTRAINT "account_subject_unique" UNIQUE("subject")
);
--> statement-breakpoint
CREATE TABLE "account_session" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"account_id" text NOT NULL,
	"create_time" bigint NOT NULL,
	"last_use" bigint NOT NULL,
	"expires" bigint NOT NULL,
	"user_agent" text,
	CONSTRAINT "account_session_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "email_code" (
	"email_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"code_hash" text NOT NULL,
	"tries" integer NOT NULL,
	"create_time" bigint NOT NULL,
	"expires" bigint NOT NULL,
	CONSTRAINT "email_code_email_hash_purpose_pk" PRIMARY KEY("email_hash","purpose")
);
--> statement-breakpoint
CREATE TABLE "email_ticket" (
	"ticket_hash" text PRIMARY KEY NOT NULL,
	"email_hash" text NOT NULL,
	"purpose" text NOT NULL,
	"expires" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"body_hash" text NOT NULL,
	"status" integer,
	"answer" "bytea",
	"lease_until" bigint NOT NULL,
	"expires" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_callback" (
	"id" text PRIMARY KEY NOT NULL,
	"expires" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_case" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider" text NOT NULL,
	"status" text NOT NULL,
	"person" "bytea" NOT NULL,
	"country" text NOT NULL,
	"document_kind" text NOT NULL,
	"submit_time" bigint NOT NULL,
	"decide_time" bigint,
	"valid_until" bigint,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "identity_document" (
	"case_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"size" integer NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"dedupe_key" text,
	"payload" jsonb NOT NULL,
	"run_at" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_until" bigint,
	"lease_owner" text,
	"last_error" text,
	"create_time" bigint NOT NULL,
	"failed_time" bigint,
	CONSTRAINT "job_dedupe_key_unique" UNIQUE("dedupe_key")
);
--> statement-breakpoint
CREATE TABLE "limit_use" (
	"key" text PRIMARY KEY NOT NULL,
	"uses" bigint[] NOT NULL,
	"expires" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"create_time" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_binding" (
	"chain_id" bigint NOT NULL,
	"address" text NOT NULL,
	"state" text NOT NULL,
	"hash" text,
	"reason" text,
	"update_time" bigint NOT NULL,
	CONSTRAINT "wallet_binding_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "wallet_nonce" (
	"nonce" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"message" text NOT NULL,
	"account_id" text,
	"expires" bigint NOT NULL,
	"used_time" bigint
);
--> statement-breakpoint
ALTER TABLE "account_wallet" ADD COLUMN "current" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "account_wallet" ADD COLUMN "message" text NOT NULL;--> statement-breakpoint
ALTER TABLE "account_wallet" ADD COLUMN "signature" text NOT NULL;--> statement-breakpoint
ALTER TABLE "account_wallet" ADD COLUMN "chain_id" bigint NOT NULL;--> statement-breakpoint
ALTER TABLE "account_session" ADD CONSTRAINT "account_session_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_case" ADD CONSTRAINT "identity_case_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_document" ADD CONSTRAINT "identity_document_case_id_identity_case_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."identity_case"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_session_of_account" ON "account_session" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "account_session_expires" ON "account_session" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "email_ticket_expires" ON "email_ticket" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "idempotency_expires" ON "idempotency" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "identity_callback_expires" ON "identity_callback" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "identity_case_of_account" ON "identity_case" USING btree ("account_id","submit_time");--> statement-breakpoint
CREATE INDEX "identity_case_status" ON "identity_case" USING btree ("status");--> statement-breakpoint
CREATE INDEX "job_due" ON "job" USING btree ("run_at");--> statement-breakpoint
CREATE INDEX "limit_use_expires" ON "limit_use" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "mail_outbox_of_recipient" ON "mail_outbox" USING btree ("recipient","create_time");--> statement-breakpoint
CREATE INDEX "wallet_nonce_expires" ON "wallet_nonce" USING btree ("expires");--> statement-breakpoint
ALTER TABLE "account_wallet" ADD CONSTRAINT "account_wallet_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_wallet_current" ON "account_wallet" USING btree ("account_id") WHERE "account_wallet"."current";