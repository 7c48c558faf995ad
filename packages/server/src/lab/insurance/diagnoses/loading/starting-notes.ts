import { listCodes } from './note-codes.ts'
import type { DiagnosisNote } from './read-tabular.ts'
import type { StartingNote } from './starting-notes.registry.ts'

/** @param notes where they stand, of what type they are, and the codes that they exclude, with blanks between them */
export function readStartingNotes(notes: readonly StartingNote[]): DiagnosisNote[] {
  return notes.flatMap(([at, type, codes]) =>
    listCodes(at).flatMap((range) =>
      listCodes(codes).map((excluded) => ({ type, at: range, excluded })),
    ),
  )
}
