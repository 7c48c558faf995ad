import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { LabTest } from '../lab-catalog.schema.ts'
import { MarkerPage, MarkersOfTestQuery } from '../markers/markers.schema.ts'
import { listAllLabTests, listLabTestPage } from './lab-test-listing.service.ts'
import * as schema from './lab-tests.schema.ts'
import { ManagedLabTest } from './lab-tests.schema.ts'
import * as labTests from './lab-tests.service.ts'
import { approveLabTest } from './lab-tests.service.ts'

const tags = ['Lab tests']

/** Registers the routes for lab tests under the team's key. Approval is under a management key. */
export function registerLabTestRoutes(app: App): void {
  registerLists(app)
  registerCreation(app)
  registerSingle(app)
}

function registerLists(app: App): void {
  app.get(
    '/v3/lab_test',
    {
      schema: {
        operationId: 'listLabTests',
        tags,
        summary: 'List lab tests',
        description:
          'Returns a page of the lab tests of the team, filtered by markers, laboratory, method, status or name.',
        querystring: schema.LabTestsQuery,
        response: { 200: schema.LabTestPage },
      },
    },
    (request) => listLabTestPage(request.scope, request.query),
  )
  app.get(
    '/v3/lab_tests',
    {
      schema: {
        operationId: 'listLabTestsUnpaged',
        tags,
        summary: 'List lab tests without pages',
        description: 'Returns at most 1,000 lab tests. Use GET /v3/lab_test instead.',
        deprecated: true,
        querystring: schema.AllLabTestsQuery,
        response: { 200: Type.Array(LabTest) },
      },
    },
    (request, reply) => {
      reply.header('deprecation', 'true')
      return listAllLabTests(request.scope, request.query)
    },
  )
}

function registerCreation(app: App): void {
  app.post(
    '/v3/lab_tests',
    {
      schema: {
        operationId: 'createLabTest',
        tags,
        summary: 'Create a lab test',
        description:
          'Creates a lab test from markers of one laboratory. The operator may have to approve it before it can be ordered.',
        body: schema.LabTestCreate,
        'x-body-example': {
          name: 'Glucose and A1c',
          description: 'Glucose, hemoglobin A1c',
          method: 'walk_in_test',
          marker_ids: [27],
        },
        response: { 200: LabTest },
      },
    },
    (request) => labTests.createLabTest(request.scope, request.body),
  )
}

function registerSingle(app: App): void {
  const params = schema.LabTestParams
  app.get(
    '/v3/lab_tests/:lab_test_id',
    {
      schema: {
        operationId: 'getLabTest',
        tags,
        summary: 'Read a lab test',
        description: 'Returns a lab test with its markers and its laboratory.',
        params,
        querystring: schema.LabTestQuery,
        response: { 200: LabTest },
      },
    },
    (request) => {
      const { lab_account_id: accountId } = request.query
      return labTests.getLabTest(request.scope, request.params.lab_test_id, accountId)
    },
  )
  app.patch(
    '/v3/lab_tests/:lab_test_id',
    {
      schema: {
        operationId: 'updateLabTest',
        tags,
        summary: 'Update a lab test',
        description:
          'Renames, archives or restores a lab test. An archived lab test cannot be ordered; existing orders of it continue.',
        params,
        body: schema.LabTestUpdate,
        'x-body-example': { name: 'Glucose' },
        response: { 200: LabTest },
      },
    },
    (request) => labTests.changeLabTest(request.scope, request.params.lab_test_id, request.body),
  )
  app.get(
    '/v3/lab_tests/:lab_test_id/markers',
    {
      schema: {
        operationId: 'listLabTestMarkers',
        tags,
        summary: 'List the markers of a lab test with their reflex markers',
        description:
          'Returns the markers of a lab test and their reflex markers, each with its expected results and order-entry questions.',
        params,
        querystring: MarkersOfTestQuery,
        response: { 200: MarkerPage },
      },
    },
    (request) =>
      labTests.listMarkersOfLabTest(request.scope, request.params.lab_test_id, request.query),
  )
}

/** Registers the approval of lab tests among the routes of managed environments. */
export function registerLabTestApprovalRoutes(app: App): void {
  app.post(
    `${ENVIRONMENT_PATH}/lab_test/:lab_test_id/approve`,
    {
      schema: {
        operationId: 'approveLabTest',
        tags: ['Lab tests'],
        summary: 'Approve a lab test',
        description: 'Approves a lab test that the team created, so that it can be ordered.',
        params: ManagedLabTest,
        response: { 200: LabTest },
      },
    },
    ({ scope, params }) => approveLabTest(scope, params.lab_test_id),
  )
}
