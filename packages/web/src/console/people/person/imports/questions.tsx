import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Failure } from '../../../components/failure.tsx'
import type { Person } from '../person-queries.ts'
import { type ImportJob, importQuery, templatesQuery } from './import-queries.ts'
import { choiceTitle, optionTitle } from './import-words.ts'
import { ImportZoneField } from './import-zone-field.tsx'

type Question = ImportJob['questions'][number]

/** Puts the questions that a file leaves open, and continues the import with the answers. */
export function Questions({ person, job }: { person: Person; job: ImportJob }): ReactNode {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const answering = useMutation({
    mutationFn: () => {
      const params = { path: { user_id: person.user_id, job_id: job.id } }
      return unwrapResponse(
        environment.team.PATCH('/v2/user/{user_id}/import/{job_id}', { params, body: answers }),
      )
    },
    onSuccess: (answered) =>
      queries.setQueryData(importQuery(environment, person.user_id, job.id).queryKey, answered),
  })
  const isOpen = job.questions.some(({ option }) => !answers[option])
  return (
    <form
      className="imports-form"
      onSubmit={(event) => {
        event.preventDefault()
        answering.mutate()
      }}
    >
      <p>
        The file leaves a question open. Nothing is stored yet, and the file need not be sent again.
      </p>
      {job.questions.map((question) => (
        <QuestionField
          key={question.option}
          person={person}
          question={question}
          value={answers[question.option] ?? ''}
          onChange={(value) => setAnswers((old) => ({ ...old, [question.option]: value }))}
        />
      ))}
      {answering.error !== null && <Failure error={answering.error} />}
      <div>
        <Button type="submit" disabled={isOpen} loading={answering.isPending}>
          Continue import
        </Button>
      </div>
    </form>
  )
}

interface QuestionFieldProps {
  person: Person
  question: Question
  value: string
  onChange: (value: string) => void
}

function QuestionField({ person, question, value, onChange }: QuestionFieldProps): ReactNode {
  const { option, reason, choices } = question
  return (
    <fieldset className="imports-question">
      <legend>{optionTitle(option)}</legend>
      <p className="quiet">{reason}</p>
      {choices?.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name={option}
            value={choice}
            checked={value === choice}
            onChange={() => onChange(choice)}
          />
          {choiceTitle(choice)}
        </label>
      ))}
      {choices === null && option === 'template_id' && (
        <TemplateField value={value} onChange={onChange} />
      )}
      {choices === null && option !== 'template_id' && (
        <ImportZoneField person={person} label="Time zone" value={value} onChange={onChange} />
      )}
    </fieldset>
  )
}

function TemplateField({
  value,
  onChange,
}: {
  value: string
  onChange: (id: string) => void
}): ReactNode {
  const { data: templates = [] } = useQuery(templatesQuery(useEnvironment()))
  return (
    <NativeSelect
      label="Template"
      value={value}
      data={[
        { value: '', label: 'Not chosen' },
        ...templates.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
