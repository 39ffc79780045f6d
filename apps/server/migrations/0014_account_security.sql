CREATE TABLE "account_event" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"time" bigint NOT NULL,
	"kind" text NOT NULL,
	"user_agent" text,
	"place" text,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "account_passkey" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"name" text NOT NULL,
	"create_time" bigint NOT NULL,
	"last_use" bigint
);
--> statement-breakpoint
CREATE TABLE "account_totp" (
	"account_id" text PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL,
	"name" text NOT NULL,
	"create_time" bigint NOT NULL,
	"active_time" bigint DEFAULT 0 NOT NULL,
	"last_use" bigint,
	"last_period" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey_challenge" (
	"challenge" text PRIMARY KEY NOT NULL,
	"use" text NOT NULL,
	"account_id" text,
	"expires" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_code" (
	"account_id" text NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_code_account_id_code_hash_pk" PRIMARY KEY("account_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "wallet_switch" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"from_address" text NOT NULL,
	"to_address" text NOT NULL,
	"linked" boolean NOT NULL,
	"create_time" bigint NOT NULL,
	"effective_time" bigint NOT NULL,
	"stop_time" bigint,
	"token_hash" text NOT NULL,
	CONSTRAINT "wallet_switch_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "account_session" ADD COLUMN "place" text;--> statement-breakpoint
ALTER TABLE "account_session" ADD COLUMN "confirmed_time" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account_event" ADD CONSTRAINT "account_event_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_passkey" ADD CONSTRAINT "account_passkey_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_totp" ADD CONSTRAINT "account_totp_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_switch" ADD CONSTRAINT "wallet_switch_account_id_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."account"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_event_of_account" ON "account_event" USING btree ("account_id","time");--> statement-breakpoint
CREATE INDEX "account_event_time" ON "account_event" USING btree ("time");--> statement-breakpoint
CREATE INDEX "account_passkey_of_account" ON "account_passkey" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "passkey_challenge_expires" ON "passkey_challenge" USING btree ("expires");--> statement-breakpoint
CREATE INDEX "wallet_switch_of_account" ON "wallet_switch" USING btree ("account_id");