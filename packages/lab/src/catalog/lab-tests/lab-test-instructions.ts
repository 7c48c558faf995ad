import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import type { Scope } from '@salus/kernel/scope'
import { labTestNotFound } from '../catalog-errors.ts'
import type { SampleType } from '../lab-catalog.schema.ts'
import { findLab } from '../labs/labs.global.repository.ts'
import { listPlainMarkers } from '../markers/markers.global.repository.ts'
import { listCollectionHints } from './collection-hints.registry.ts'
import { listLabTestMarkers, listLabTestsByIds } from './lab-tests.repository.ts'

/** The data of a test for its collection instructions. */
export interface LabTestForInstructions {
  id: string
  name: string
  description: string
  method: CollectionMethod
  /** The main specimen. */
  sample_type: SampleType
  /** All specimens that the markers need, the main one first. */
  sample_types: SampleType[]
  fasting: boolean
  lab_name: string
  marker_names: string[]
  /** Sentences for the patient, in the order of the steps. */
  collection_hints: string[]
}

/**
 * Returns the data of a test for its collection instructions.
 * @throws AppError 404 `lab_test_not_found`
 */
export async function getLabTestForInstructions(
  scope: Scope,
  labTestId: string,
): Promise<LabTestForInstructions> {
  const { db } = scope
  const [test] = await listLabTestsByIds(scope, [labTestId])
  if (test === undefined) throw labTestNotFound()
  const held = await listLabTestMarkers(scope, [labTestId])
  const ids = held.map(({ marker_id: markerId }) => markerId)
  const found = new Map((await listPlainMarkers(db, ids)).map((marker) => [marker.id, marker]))
  const markers = ids.flatMap((id) => found.get(id) ?? [])
  const lab = await findLab(db, test.lab_id)
  const { id, name, description, method, sample_type: main, fasting } = test
  // A kit that replaces drawn blood needs no additional tube.
  const needed = markers.map(({ sample_type: type }) => type)
  const others = method === 'testkit' ? needed.filter((type) => type !== 'serum') : needed
  const sampleTypes = [...new Set([main, ...others])]
  return {
    id,
    name,
    description,
    method,
    sample_type: main,
    sample_types: sampleTypes,
    fasting,
    lab_name: lab?.name ?? '',
    marker_names: markers.map((marker) => marker.name),
    collection_hints: listCollectionHints(method, sampleTypes, fasting),
  }
}
