import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { OrderDemands } from './order-draft.ts'
import { FormPart, type PartProps } from './part.tsx'

type Asked = OrderDemands['questions'][number]

/** The questions that the laboratory asks for the ordered tests. */
export function QuestionsPart(props: PartProps): ReactNode {
  const { problems, demands, isTried } = props
  const questions = demands?.questions ?? []
  return (
    <FormPart id="questions" problems={problems} isTried={isTried}>
      {questions.length === 0 && (
        <p className="quiet">
          {demands ? 'The laboratory has no questions about these tests.' : 'Choose tests first.'}
        </p>
      )}
      <div className="field-grid">
        {questions.map((item) => (
          <QuestionField key={`${item.marker_id}:${item.question.id}`} {...props} item={item} />
        ))}
      </div>
    </FormPart>
  )
}

function QuestionField(props: PartProps & { item: Asked }): ReactNode {
  const { item, draft, change, problems, isTried } = props
  const { question, must_answer: isNeeded, presumed_answer: presumed } = item
  const which = `${item.marker_id}:${question.id}`
  const given = draft.answers[which] ?? []
  const set = (texts: string[]) => {
    const { [which]: _, ...others } = draft.answers
    const isSaid = texts.some((text) => text !== '')
    change({ answers: isSaid ? { ...others, [which]: texts } : others })
  }
  const isWrong = problems.some(
    ({ error_type: type, detail }) =>
      type === 'aoe_invalid' &&
      detail.question_id === question.id &&
      detail.marker_id === item.marker_id,
  )
  const error = isWrong
    ? `The laboratory does not accept this answer${question.constraint ? `: ${question.constraint}` : ''}.`
    : isNeeded && isTried && given.length === 0
      ? 'This field is required.'
      : undefined
  const common = {
    label: `${question.value}${isNeeded ? '' : ' (optional)'}`,
    description: describeQuestion(item),
    error,
  }
  if (question.type === 'multi_choice') {
    return <Choices {...common} item={item} given={given} onChange={set} />
  }
  if (question.type === 'choice') {
    const answers = question.answers.map(({ code, value }) => ({ value: code, label: value }))
    const nothing = presumed === null ? 'Choose' : `Default answer: ${nameAnswer(item, presumed)}`
    return (
      <NativeSelect
        {...common}
        value={given[0] ?? ''}
        onChange={({ currentTarget }) => set([currentTarget.value])}
        data={[{ value: '', label: nothing }, ...answers]}
      />
    )
  }
  return (
    <TextInput
      {...common}
      inputMode={question.type === 'numeric' ? 'decimal' : 'text'}
      placeholder={presumed ?? question.constraint ?? undefined}
      value={given[0] ?? ''}
      onChange={({ currentTarget }) => set([currentTarget.value])}
    />
  )
}

/** Names the test that a question belongs to, and the format of its answer. */
function describeQuestion({ marker_name: name, question }: Asked): string {
  const form = question.constraint ? `, as ${question.constraint}` : ''
  return `For ${name}${form}`
}

const nameAnswer = ({ question }: Asked, code: string): string =>
  question.answers.find((answer) => answer.code === code)?.value ?? code

interface ChoicesProps {
  label: string
  description: string
  error: string | undefined
  item: Asked
  given: readonly string[]
  onChange: (given: string[]) => void
}

/** A question that allows several answers. */
function Choices({ label, description, error, item, given, onChange }: ChoicesProps): ReactNode {
  return (
    <fieldset className="choices">
      <legend>
        {label}
        <span className="quiet">{description}</span>
      </legend>
      {item.question.answers.map(({ code, value }) => (
        <label key={code} className="check">
          <input
            type="checkbox"
            checked={given.includes(code)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked ? [...given, code] : given.filter((other) => other !== code),
              )
            }
          />
          {value}
        </label>
      ))}
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  )
}
