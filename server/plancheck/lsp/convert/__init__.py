"""Between the protocol and the layers below: lsprotocol objects are built here alone, one concern to a module.

Below, everything counts in offsets; an editor counts in lines and characters of the encoding that was agreed on. A
`Mapper` turns one into the other for one snapshot.
"""
