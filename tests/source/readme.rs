//! The page of C in README.md is examples/first.c, which is compiled and run.

#[test]
fn the_page_of_c_is_the_example() {
    let text = |name: &str| std::fs::read_to_string(super::root().join(name)).expect(name);
    let (readme, example) = (text("README.md"), text("examples/first.c"));
    let page = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next());
    let program = &example[example.find("#include").expect("a program")..];
    assert_eq!(page, Some(program));
}
