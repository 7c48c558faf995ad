import {
  CatalogProblems,
  type CatalogQuestion,
  checkQuestion,
  QUESTION_TYPES,
} from '../../catalog/index.ts'
import type { MappedRow } from '../sources/read-tables.ts'
import type { Refusals } from './refusals.ts'
import { LONGEST_CODE, openRow, readByTest, type TestIndex } from './rows-of-tests.ts'

type Answer = NonNullable<CatalogQuestion['answers']>[number]

/** Answers by question, and by test and question where the rows name the test. */
type Answers = ReadonlyMap<string, Answer[]>

const keyOf = (test: string | undefined, question: string): string =>
  JSON.stringify([test ?? null, question])

/** Reads the order-entry questions of tests, in the order of the rows. */
export function readQuestions(
  rows: readonly MappedRow[],
  answerRows: readonly MappedRow[],
  index: TestIndex,
): Map<string, CatalogQuestion[]> {
  const answers = readAnswers(answerRows, index.refusals)
  const seen = new Map<string, string>()
  return readByTest(rows, index, (row, test) => {
    const code = row.text('code', LONGEST_CODE)
    const text = row.text('text')
    if (code === undefined) return row.refuse('code', 'The question has no code.')
    if (text === undefined) return row.refuse('text', 'The question has no text.')
    const own = row.pairs('answers')
    const listed = answers.get(keyOf(test, code)) ?? answers.get(keyOf(undefined, code)) ?? []
    const all = own.length > 0 ? own : listed
    const question: CatalogQuestion = {
      code,
      text,
      type: row.oneOf('type', QUESTION_TYPES) ?? (all.length > 0 ? 'choice' : 'text'),
      required: row.boolean('required') ?? false,
      answers: all,
      constraint: row.text('constraint') ?? null,
      default: row.text('default') ?? null,
    }
    const problems = new CatalogProblems()
    checkQuestion(question, '', problems)
    for (const { path, message } of problems.list) {
      row.refuse(path.startsWith('.default') ? 'default' : 'answers', message)
    }
    const [key, content] = [keyOf(test, code), JSON.stringify(question)]
    const known = seen.get(key)
    seen.set(key, content)
    if (known === undefined) return question
    return known === content ? undefined : row.refuse('code', 'Appears twice in one test.')
  })
}

function readAnswers(rows: readonly MappedRow[], refusals: Refusals): Answers {
  const answers = new Map<string, Answer[]>()
  for (const row of rows) {
    const { code: question, reader } = openRow(row, 'question', refusals, 'of no test')
    if (question === undefined) continue
    const code = reader.text('code', LONGEST_CODE)
    const text = reader.text('text') ?? code
    if (code === undefined || text === undefined) continue
    const key = keyOf(reader.text('test', LONGEST_CODE), question)
    const group = answers.get(key)
    if (group === undefined) answers.set(key, [{ code, text }])
    else group.push({ code, text })
  }
  return answers
}
