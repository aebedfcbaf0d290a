//! The case files through `skilldeck run`: substitution and rendered shapes.

use serde_json::Value;

use crate::support::{Workspace, case_file};

const ONLY_ROOT: [&str; 4] = ["--no-bundled", "--no-default-roots", "--root", "skills"];

/// Every row of substitution.json, in one process for each dialect and positional rule.
#[test]
fn substitution() {
    let file = case_file("skill-core/tests/cases/substitution.json");
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() >= 29, "{} rows", cases.len());
    let mut seen = 0;
    for dialect in ["claude", "opencode"] {
        for positional in ["always", "declared"] {
            let rows: Vec<&Value> = cases
                .iter()
                .filter(|case| {
                    case["dialect"] == dialect
                        && case["positional"].as_str().unwrap_or("always") == positional
                })
                .collect();
            if rows.is_empty() {
                continue;
            }
            let workspace = Workspace::new();
            let mut requests = String::new();
            for (at, case) in rows.iter().enumerate() {
                let declared = match case.get("declared") {
                    Some(names) => format!("arguments: {names}\n"),
                    None => String::new(),
                };
                let name = format!("case-{at}");
                workspace.skill("skills", &name, &declared, case["template"].as_str().unwrap());
                let request = serde_json::json!({ "name": name, "arguments": case["args"] });
                requests.push_str(&format!("{request}\n"));
            }
            let ran = workspace.run_with_input(
                ONLY_ROOT.into_iter().chain([
                    "run",
                    "--stdin-json",
                    "--as",
                    "plain",
                    "--dialect",
                    dialect,
                    "--positional",
                    positional,
                ]),
                requests.as_bytes(),
            );
            let answers: Vec<Value> =
                ran.ok().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(answers.len(), rows.len());
            for (case, answer) in rows.iter().zip(&answers) {
                let text = answer["text"].as_str().unwrap_or_else(|| panic!("{case}: {answer}"));
                let want = case["out"].as_str().unwrap();
                assert_eq!(text.trim_end_matches('\n'), want.trim_end_matches('\n'), "{case}");
                seen += 1;
            }
        }
    }
    assert_eq!(seen, cases.len(), "every row belongs to a group");
}

/// Every row of render.json that a shape of the command line has; the other shape is the library's.
#[test]
fn render() {
    let file = case_file("skill-runtime/tests/cases/render.json");
    let cases = file["cases"].as_array().unwrap();
    let mut seen = 0;
    for case in cases {
        let shape = case["shape"].as_str().unwrap();
        if shape == "agui" {
            continue;
        }
        let workspace = Workspace::new();
        let file = workspace.skill("skills", "demo", "", case["body"].as_str().unwrap());
        let directory = file.parent().unwrap().canonicalize().unwrap();
        let line = format!("/skill:demo {}", case["args"].as_str().unwrap());
        let root = workspace.project().canonicalize().unwrap().join("skills");
        let out = workspace
            .run([
                "--no-bundled".as_ref(),
                "--no-default-roots".as_ref(),
                "--root".as_ref(),
                root.as_os_str(),
                "run".as_ref(),
                line.as_ref(),
                "--as".as_ref(),
                shape.as_ref(),
            ])
            .ok();
        let want = case["out"].as_str().unwrap().replace("{DIR}", &directory.display().to_string());
        assert_eq!(out.strip_suffix('\n').unwrap_or(&out), want, "{case}");
        seen += 1;
    }
    assert!(seen >= 7, "{seen} rows");
}

/// Every row of frontmatter.json: what `show` prints of it, and whether the strict check takes it.
#[test]
fn front_matter() {
    let file = case_file("skill-core/tests/cases/frontmatter.json");
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 58);
    for case in cases {
        let workspace = Workspace::new();
        let directory = case["dir"].as_str().unwrap();
        let path = format!("{directory}/SKILL.md");
        workspace.write(&path, case["text"].as_str().unwrap());
        let shown = workspace.run(["show", &path, "--json"]).json();
        let expect = &case["expect"];
        for key in [
            "name",
            "description",
            "body",
            "argument_hint",
            "version",
            "allowed_tools",
            "user_invocable",
            "disable_model_invocation",
            "restricted",
        ] {
            if !expect[key].is_null() {
                assert_eq!(shown[key], expect[key], "{key} of {case}");
            }
        }
        let has = |severity: &str| {
            let all = shown["diagnostics"].as_array().unwrap();
            all.iter().any(|finding| finding["severity"] == severity)
        };
        for (key, severity) in [("warnings", "warning"), ("errors", "error")] {
            match expect[key].as_bool() {
                Some(true) if key == "warnings" => {
                    assert!(has("warning") || has("error"), "{case}")
                }
                Some(wanted) => assert_eq!(has(severity), wanted, "{key} of {case}"),
                None => {}
            }
        }
        if let Some(strict) = expect["strict"].as_bool() {
            let code = workspace.run(["check", "--strict", &path]).code;
            assert_eq!(code, Some(i32::from(!strict)), "{case}");
        }
        if let Some(word) = expect["also_reached_as"].as_str() {
            let only = ["--no-bundled", "--no-default-roots", "--root", "."];
            let out = workspace.run(only.iter().copied().chain(["run", word])).ok();
            let name = expect["name"].as_str().unwrap();
            assert!(out.starts_with(&format!("<skill name=\"{name}\">")), "{case}: {out}");
        }
    }
}
