(* Writes the models as OCaml, Z as zarith's integers. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From Aqua Require Import DemandVault.
Extraction Language OCaml.
Extraction "model.ml" DemandVault.run DemandVault.newVault DemandVault.instant DemandVault.deployable
  DemandVault.assetsDown.
