CREATE TABLE "product_document" (
	"hash" text PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"stored" bigint NOT NULL
);
