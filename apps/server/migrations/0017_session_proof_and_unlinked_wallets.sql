ALTER TABLE "account_session" ADD COLUMN "confirmed_by" text;--> statement-breakpoint
ALTER TABLE "account_wallet" ADD COLUMN "unlink_time" bigint;