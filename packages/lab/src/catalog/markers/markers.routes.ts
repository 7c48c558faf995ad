import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { CatalogId, Marker, OrderSetRequest } from '../lab-catalog.schema.ts'
import { MarkerPage, MarkerQuery, MarkersQuery, PageQuery } from './markers.schema.ts'
import * as markers from './markers.service.ts'

const tags = ['Lab tests']

/** Registers the routes for markers. */
export function registerMarkerRoutes(app: App): void {
  app.get(
    '/v3/lab_tests/markers',
    {
      schema: {
        operationId: 'listMarkers',
        tags,
        summary: 'List markers that can be ordered',
        description:
          'Returns a page of the markers of all laboratories, filtered by name or laboratory.',
        querystring: MarkersQuery,
        response: { 200: MarkerPage },
      },
    },
    (request) => markers.listMarkers(request.scope, request.query),
  )
  app.post(
    '/v3/lab_tests/list_order_set_markers',
    {
      config: { isRead: true },
      schema: {
        operationId: 'listOrderSetMarkers',
        tags,
        summary: 'List the markers of an order set',
        description:
          'Returns the markers that an order of the set would contain. A marker of several lab tests is listed once.',
        querystring: PageQuery,
        body: OrderSetRequest,
        'x-body-example': { lab_test_ids: [EXAMPLE_IDS.labTest] },
        response: { 200: MarkerPage },
      },
    },
    (request) => markers.listOrderSetMarkers(request.scope, request.body, request.query),
  )
  app.get(
    '/v3/lab_tests/:lab_id/markers/:provider_id',
    {
      schema: {
        operationId: 'getMarkerByProviderId',
        tags,
        summary: "Read a marker by the laboratory's code",
        description: 'Returns the marker with this code of the laboratory.',
        params: Type.Object({ lab_id: CatalogId, provider_id: Type.String() }),
        querystring: MarkerQuery,
        response: { 200: Marker },
      },
    },
    (request) => {
      const { lab_id: labId, provider_id: providerId } = request.params
      return markers.getMarker(request.scope, labId, providerId, request.query.lab_account_id)
    },
  )
}
