ALTER TABLE "device" ADD COLUMN "co_signer" text;--> statement-breakpoint
ALTER TABLE "reading" ADD COLUMN "co_signature" "bytea";