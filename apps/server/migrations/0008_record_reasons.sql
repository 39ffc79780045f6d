-- The sentences of before, as the codes that stand for them now.
UPDATE "wallet_binding" SET "reason" = CASE "reason"
  WHEN 'On this chain the wallet stands for another identity. Link another wallet.' THEN 'other_subject'
  WHEN 'On this chain the wallet was replaced by another for good. Link another wallet.' THEN 'retired'
  WHEN 'It gave its place to another wallet for good.' THEN 'handed_on'
  WHEN 'The chain does not accept the wallet''s signature. Link the wallet again.' THEN 'signature'
  WHEN 'A contract wallet''s signature counts only on the chain it was given on. Link the wallet on this chain.' THEN 'other_chain'
  WHEN 'The contract of this wallet is not on this chain yet. It is verified here once it is.' THEN 'not_created'
END;
--> statement-breakpoint
UPDATE "identity_case" SET "reason" = 'document_unreadable'
WHERE "provider" = 'sandbox' AND "reason" = 'The document cannot be read.';
