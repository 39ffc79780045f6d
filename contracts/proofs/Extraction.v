(* Writes the models as OCaml, Z as zarith's integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Aqua Require Import DemandVault RedemptionQueue.
Extraction Language OCaml.
Extraction "model.ml" DemandVault.run DemandVault.newVault DemandVault.instant DemandVault.deployable
  DemandVault.assetsDown RedemptionQueue.go RedemptionQueue.newQueue RedemptionQueue.claimable
  RedemptionQueue.processed RedemptionQueue.lineEnd.
