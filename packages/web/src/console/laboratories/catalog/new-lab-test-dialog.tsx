import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { describeMethod } from '../../components/order-words.ts'
import { ChosenList, SearchPicker } from '../../components/search-picker.tsx'
import type { Named } from '../new-order/order-draft.ts'
import '../new-order/new-order.css'
import { labsQuery } from './catalog-queries.ts'

interface NewLabTestDialogProps {
  isOpen: boolean
  onClose: () => void
}

interface Chosen extends Named<number> {
  labId: number | null
}

/** A dialog that creates a test of the team from markers of one laboratory. */
export function NewLabTestDialog({ isOpen, onClose }: NewLabTestDialogProps): ReactNode {
  const environment = useEnvironment()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [markers, setMarkers] = useState<Chosen[]>([])
  const [fasting, setFasting] = useState(false)
  const [wished, setMethod] = useState('')
  const { data: labs = [] } = useQuery(labsQuery(environment))
  const lab = labs.find(({ id }) => id === markers[0]?.labId)
  const methods = lab?.collection_methods ?? []
  const method = methods.find((offered) => offered === wished) ?? methods[0]
  const make = useMutation({
    mutationFn: () => {
      if (method === undefined) throw new Error('Choose markers first.')
      const words = { name: name.trim(), description: description.trim() || name.trim() }
      const body = { ...words, method, fasting, marker_ids: markers.map(({ id }) => id) }
      return unwrapResponse(environment.team.POST('/v3/lab_tests', { body }))
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [...environment.key, 'lab_tests'] })
      onClose()
    },
  })
  return (
    <Dialog title="New test" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <TextInput
          label="Name"
          required
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Description"
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <ChosenList
          label="Chosen markers"
          items={markers}
          nameOf={(marker) => marker.name}
          onRemove={(gone) => setMarkers(markers.filter(({ id }) => id !== gone.id))}
        />
        <SearchPicker<Chosen>
          name="markers_of_test"
          label="Add a marker"
          description={
            lab ? `All markers must be of ${lab.name}.` : 'All markers must be of one laboratory.'
          }
          dependsOn={[lab?.slug]}
          search={async (words, signal) => {
            const query = { name: words, size: 30, ...(lab && { lab_slug: lab.slug }) }
            const request = environment.team.GET('/v3/lab_tests/markers', {
              params: { query: { ...query, page: 1 } },
              signal,
            })
            return (await unwrapResponse(request)).markers.map((marker) => ({
              key: String(marker.id),
              title: marker.name,
              detail: labs.find(({ id }) => id === marker.lab_id)?.name,
              item: { id: marker.id, name: marker.name, labId: marker.lab_id },
            }))
          }}
          onPick={(marker) => {
            if (!markers.some(({ id }) => id === marker.id)) setMarkers([...markers, marker])
          }}
        />
        <NativeSelect
          label="Collection"
          value={method ?? ''}
          disabled={methods.length === 0}
          onChange={({ currentTarget }) => setMethod(currentTarget.value)}
          data={methods.map((value) => ({ value, label: describeMethod(value) }))}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={fasting}
            onChange={({ currentTarget }) => setFasting(currentTarget.checked)}
          />
          The patient must fast
        </label>
        {make.error && <Failure error={make.error} />}
        <div className="form-actions">
          <Button
            type="submit"
            loading={make.isPending}
            disabled={name.trim() === '' || markers.length === 0}
          >
            Create test
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
