# Builds daybook from this repository, and has a module for NixOS:  nix run "github:example/daybook?dir=deploy/catalogues/nix"
{
  description = "Private web analytics in one file";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      source = ../../..;
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.buildNpmPackage {
          pname = "daybook";
          version = "0.1.0";
          src = source;
          nodejs = pkgs.nodejs_24;
          # The lock file has the checksum of each package, so no other hash is needed.
          npmDeps = pkgs.importNpmLock { npmRoot = source; };
          npmConfigHook = pkgs.importNpmLock.npmConfigHook;
          npmFlags = [ "--ignore-scripts" ];
          nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.makeWrapper ];
          buildInputs = [ pkgs.stdenv.cc.cc.lib ];
          # The packages have libraries for other systems too.
          autoPatchelfIgnoreMissingDeps = true;
          installPhase = ''
            runHook preInstall
            npm prune --omit=dev --omit=optional --ignore-scripts --offline
            mkdir -p $out/lib/daybook/dist
            cp dist/daybook.mjs $out/lib/daybook/dist
            cp -r node_modules $out/lib/daybook
            makeWrapper ${pkgs.nodejs_24}/bin/node $out/bin/daybook \
              --add-flags "--max-semi-space-size=16 --v8-pool-size=1 $out/lib/daybook/dist/daybook.mjs"
            runHook postInstall
          '';
          meta = {
            description = "Private web analytics in one file";
            homepage = "https://github.com/example/daybook";
            license = pkgs.lib.licenses.mit;
            mainProgram = "daybook";
            platforms = systems;
          };
        };
      });

      nixosModules.default =
        { config, lib, pkgs, ... }:
        let
          own = config.services.daybook;
        in
        {
          options.services.daybook = {
            enable = lib.mkEnableOption "daybook web analytics";
            port = lib.mkOption { type = lib.types.port; default = 8377; };
            baseUrl = lib.mkOption { type = lib.types.str; example = "https://stats.example.com"; };
            environmentFile = lib.mkOption { type = lib.types.nullOr lib.types.path; default = null; };
          };

          config = lib.mkIf own.enable {
            systemd.services.daybook = {
              wantedBy = [ "multi-user.target" ];
              wants = [ "network-online.target" ];
              after = [ "network-online.target" ];
              environment = {
                DAYBOOK_DB = "/var/lib/daybook/daybook.db";
                DAYBOOK_PORT = toString own.port;
                DAYBOOK_BASE_URL = own.baseUrl;
                DAYBOOK_TRUSTED_PROXIES = "127.0.0.1";
              };
              serviceConfig = {
                ExecStart = "${self.packages.${pkgs.stdenv.hostPlatform.system}.default}/bin/daybook serve";
                EnvironmentFile = lib.mkIf (own.environmentFile != null) own.environmentFile;
                DynamicUser = true;
                StateDirectory = "daybook";
                StateDirectoryMode = "0700";
                UMask = "0077";
                Restart = "on-failure";
                RestartPreventExitStatus = "2 78";
                LimitCORE = 0;
                CapabilityBoundingSet = "";
                ProtectSystem = "strict";
                ProtectHome = true;
                PrivateDevices = true;
                SystemCallFilter = "@system-service";
              };
            };
          };
        };
    };
}
