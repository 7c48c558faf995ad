import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { unwrapResponse } from '../../../../api/client.ts'
import { useEnvironment } from '../../../../api/environment.ts'
import { Dialog } from '../../../../components/dialog.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { Waiting } from '../../../../components/waiting.tsx'
import type { Person } from '../../person-queries.ts'
import { templatesQuery } from '../import-queries.ts'
import { ImportZoneField } from '../import-zone-field.tsx'
import { Upload } from '../new-import.tsx'
import { useImport } from '../use-import.ts'
import { FirstRows } from './first-rows.tsx'
import { readBeginning } from './read-beginning.ts'
import { TableFields } from './table-fields.tsx'
import {
  changeTemplate,
  type Draft,
  draftOf,
  draftOfTemplate,
  type Preview,
  type Template,
  templateOf,
} from './table-template.ts'
import { Choice } from './value-fields.tsx'

interface TableDialogProps {
  person: Person
  isOpen: boolean
  onClose: () => void
  onBegun: (jobId: string) => void
}

/** Imports any table (CSV): by a template of the team, or by one that is made here and saved. */
export function TableDialog({ person, isOpen, onClose, onBegun }: TableDialogProps): ReactNode {
  return (
    <Dialog title="Map a table (CSV)" isOpen={isOpen} onClose={onClose} className="imports-dialog">
      <TableForm
        person={person}
        onClose={onClose}
        onBegun={(jobId) => {
          onClose()
          onBegun(jobId)
        }}
      />
    </Dialog>
  )
}

interface Table {
  file: File
  /** The first rows as text. */
  content: string
  preview: Preview
}

type TableFormProps = Omit<TableDialogProps, 'isOpen'>

function TableForm({ person, onClose, onBegun }: TableFormProps): ReactNode {
  const { team } = useEnvironment()
  const fileId = useId()
  const opening = useMutation({
    mutationFn: async (file: File): Promise<Table> => {
      const content = await readBeginning(file)
      const body = { content }
      return {
        file,
        content,
        preview: await unwrapResponse(team.POST('/v2/import/preview', { body })),
      }
    },
  })
  return (
    <div className="imports-form">
      <div className="imports-drop">
        <label htmlFor={fileId}>Choose the table</label>
        <input
          id={fileId}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file !== undefined) opening.mutate(file)
          }}
        />
      </div>
      {opening.isPending && <Waiting label="Reading the first rows" />}
      {opening.error !== null && <Failure error={opening.error} />}
      {opening.data !== undefined && (
        <Mapping
          key={`${opening.data.file.name} ${opening.data.file.lastModified}`}
          person={person}
          table={opening.data}
          onClose={onClose}
          onBegun={onBegun}
        />
      )}
    </div>
  )
}

interface MappingProps extends TableFormProps {
  table: Table
}

function Mapping({ person, table, onClose, onBegun }: MappingProps): ReactNode {
  const { data: saved = [] } = useQuery(templatesQuery(useEnvironment()))
  const [templateId, setTemplateId] = useState('')
  const [draft, setDraft] = useState<Draft>(() => draftOf(table.preview))
  const [name, setName] = useState('')
  const [zone, setZone] = useState('')
  const [isEditing, setEditing] = useState(false)
  const chosen = saved.find(({ id }) => id === templateId)
  const isForm = chosen === undefined || isEditing
  const template = isForm
    ? chosen === undefined
      ? templateOf(draft, table.preview)
      : changeTemplate(chosen.template, draft, table.preview)
    : chosen.template
  const shown = usePreview(table, template, zone || person.fallback_time_zone?.id)
  const { sending, saving, share, stop, begin } = useTableImport(person.user_id, onBegun)
  const isReady = template !== undefined && (!isForm || name.trim() !== '')
  return (
    <form
      className="imports-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (template !== undefined) {
          begin({ table, template, templateId, isChanged: isForm, name: name.trim(), zone })
        }
      }}
    >
      {saved.length > 0 && (
        <Choice
          label="Template"
          none="A new one"
          value={templateId}
          items={saved.map(({ id }) => id)}
          titleOf={(id) => saved.find((one) => one.id === id)?.name ?? id}
          onChange={(id) => {
            setTemplateId(id)
            setEditing(false)
            if (id === '') setDraft(draftOf(table.preview))
          }}
        />
      )}
      {chosen !== undefined && !isEditing && (
        <EditButton
          template={chosen.template}
          onEdit={(fields) => {
            setDraft(fields)
            setName(chosen.name)
            setEditing(true)
          }}
        />
      )}
      {isForm && (
        <TableFields person={person} preview={table.preview} draft={draft} onChange={setDraft} />
      )}
      {!isForm && chosen.template.time_zone === undefined && (
        <ImportZoneField person={person} value={zone} onChange={setZone} />
      )}
      {shown.error !== null && <Failure error={shown.error} />}
      <FirstRows preview={(template && shown.data) ?? table.preview} />
      {isForm && (
        <TextInput
          label="Name of the template"
          description="The team can import other tables by it. Do not use personal data."
          required
          maxLength={100}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      {sending.isPending && <Upload share={share} bytes={table.file.size} onStop={stop} />}
      {saving.error !== null && <Failure error={saving.error} />}
      {sending.error !== null && <Failure error={sending.error} />}
      <div className="imports-end">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          disabled={!isReady || shown.error !== null}
          loading={saving.isPending || sending.isPending}
        >
          {isForm ? 'Save template and import' : 'Import table'}
        </Button>
      </div>
    </form>
  )
}

interface EditButtonProps {
  template: Template
  onEdit: (draft: Draft) => void
}

/** Opens the fields of a saved template; one with parts that have none is changed by the API. */
function EditButton({ template, onEdit }: EditButtonProps): ReactNode {
  const draft = draftOfTemplate(template)
  return draft === undefined ? (
    <p className="quiet">
      The template has conditions or columns of units for which there are no fields here. Change it
      with <code>PUT /v2/import/templates/{'{template_id}'}</code>.
    </p>
  ) : (
    <div>
      <Button variant="subtle" size="compact-sm" onClick={() => onEdit(draft)}>
        Edit template
      </Button>
    </div>
  )
}

/** Shows what the first rows become by a template, as far as there is one. */
function usePreview(
  { file, content }: Table,
  template: Template | undefined,
  zone: string | undefined,
) {
  const { key, team } = useEnvironment()
  return useQuery({
    // The rows are health data and stay out of the key: the dialog has one table.
    queryKey: [...key, 'import preview', file.lastModified, content.length, template, zone],
    queryFn: ({ signal }) => {
      const settings = {
        ...(template && { template }),
        ...(zone !== undefined && { time_zone: zone }),
      }
      const body = { content, ...settings }
      return unwrapResponse(team.POST('/v2/import/preview', { body, signal }))
    },
    enabled: template !== undefined,
    gcTime: 0,
    retry: false,
    placeholderData: (before) => before,
  })
}

interface TableImport {
  table: Table
  template: Template
  /** Empty for a new template. */
  templateId: string
  /** Whether it is new or edited. */
  isChanged: boolean
  name: string
  zone: string
}

/** Saves a new template, uploads the table and begins its import. */
function useTableImport(userId: string, onBegun: (jobId: string) => void) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const { sending, share, stop } = useImport(userId, onBegun)
  const saving = useMutation({
    mutationFn: ({ id, ...body }: { id: string; name: string; template: Template }) => {
      const { team } = environment
      if (id === '') return unwrapResponse(team.POST('/v2/import/templates', { body }))
      const params = { path: { template_id: id } }
      return unwrapResponse(team.PUT('/v2/import/templates/{template_id}', { params, body }))
    },
    onSuccess: () => queries.invalidateQueries(templatesQuery(environment)),
  })
  const begin = async (wanted: TableImport): Promise<void> => {
    const { table, template, isChanged, name, zone } = wanted
    // After an upload that failed, the template is there already.
    const known = saving.data?.name === name ? saving.data.id : wanted.templateId
    const id = isChanged
      ? await saving.mutateAsync({ id: known, name, template }).then(
          (saved) => saved.id,
          () => undefined,
        )
      : known
    if (id === undefined) return
    const options = { template_id: id, ...(zone !== '' && { time_zone: zone }) }
    sending.mutate({ file: table.file, format: 'csv', options })
  }
  return { sending, saving, share, stop, begin }
}
