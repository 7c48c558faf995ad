-- Origins whose pages may send link tokens. A browser asks about an origin before it sends the token that names the team.
create index team_environments_by_link_origin on team_environments using gin ((settings -> 'link_origins'));
