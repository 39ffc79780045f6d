ALTER TABLE "email_code" DROP COLUMN "tries";--> statement-breakpoint
ALTER TABLE "pending_transaction" DROP COLUMN "description";--> statement-breakpoint
-- Kind, product and amount of these rows are the word of whoever announced them.
DELETE FROM "pending_transaction";