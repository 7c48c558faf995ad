-- Identifiers that systems of customers give their orders in the FHIR interface. One order has one
-- identifier within a system, and no identifier is of two orders.
create table fhir_order_identifiers (
  environment_id uuid not null,
  order_id uuid not null,
  system text not null,
  value text not null,
  primary key (environment_id, system, value),
  foreign key (environment_id, order_id) references orders (environment_id, id) on delete cascade
);

create index fhir_order_identifiers_by_order on fhir_order_identifiers (environment_id, order_id);
