//! Bodies: the facts that a whole request body says itself. Mirrored by `apus._pure.bodies`.
