(* Writes the models as OCaml, Z as zarith's integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Aqua Require DemandVault RedemptionQueue TermDeposit.
Extraction Language OCaml.
Extraction "vault_model.ml" DemandVault.run DemandVault.newVault DemandVault.instant DemandVault.deployable
  RedemptionQueue.go RedemptionQueue.newQueue RedemptionQueue.claimable.
Extraction "term_model.ml" TermDeposit.run TermDeposit.newProduct TermDeposit.bufferOf.
