import { type EvaluatedDocument, evaluateDocuments, sumScores } from '../eval/evaluate.ts'
import { rate } from '../eval/score.ts'
import type { JudgedDocument } from '../eval/truth.ts'
import { drawDocument } from './document.ts'
import { type PictureKind, takePicture } from './pictures.ts'
import { drawSpecialist } from './specialist/draw.ts'
import type { Part } from './style.ts'

/** Documents of the seeds `from`, `from + 1` and so on, with a text layer or as pictures. */
export interface SyntheticSet {
  from: number
  count: number
  part: Part
  kind: 'text' | PictureKind
  /** `ordinary` where it is not given. */
  reports?: 'ordinary' | 'specialist'
}

/** Draws, parses and scores the documents one after the other. */
export async function evaluateSynthetic(set: SyntheticSet): Promise<EvaluatedDocument[]> {
  const documents: EvaluatedDocument[] = []
  for await (const document of evaluateDocuments(drawDocuments(set))) documents.push(document)
  return documents
}

async function* drawDocuments({
  from,
  count,
  part,
  kind,
  reports = 'ordinary',
}: SyntheticSet): AsyncGenerator<JudgedDocument> {
  for (let seed = from; seed < from + count; seed++) {
    const draw = reports === 'ordinary' ? drawDocument : drawSpecialist
    const { name, pdf, rows, header } = await draw(seed, part)
    const bytes = kind === 'text' ? pdf : (await takePicture(pdf, kind, seed)).bytes
    yield { file: `${seed}-${name}`, bytes, rows, header }
  }
}

/**
 * F1 of what matters, precision of the codes that match by themselves, and how much of what is sure
 * has a right value.
 */
export function measure(documents: readonly EvaluatedDocument[]) {
  const { fields, loinc, certainty } = sumScores(documents)
  return {
    nameAndValue: rate(fields['name+value']).f1,
    unit: rate(fields.unit).f1,
    range: rate(fields.range).f1,
    sureAndRight: certainty.sure === 0 ? 1 : 1 - certainty.sureWrongValue / certainty.sure,
    autoMatchPrecision: loinc.autoMatched === 0 ? 1 : loinc.autoRight / loinc.autoMatched,
  }
}
